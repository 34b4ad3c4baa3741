//! Exit codes as people write them.

/// An exit code in words. Windows gives an exception a code with the highest bit set, and documents it by its hexadecimal
/// digits (<https://learn.microsoft.com/openspecs/windows_protocols/ms-erref>, 2.3).
pub fn shown_exit_code(code: i32) -> String {
    if code >= 0 {
        return code.to_string();
    }
    let bits = code.cast_unsigned();
    let name = match bits {
        0xC000_0005 => " (access violation)",
        0xC000_0006 => " (a page could not be read or written)",
        0xC000_0017 => " (not enough memory)",
        0xC000_001D => " (illegal instruction)",
        0xC000_0094 => " (division by zero)",
        0xC000_00FD => " (stack overflow)",
        0xC000_0135 => " (a DLL was not found)",
        0xC000_0139 => " (a DLL lacks an entry point)",
        0xC000_013A => " (Ctrl-C)",
        0xC000_0142 => " (a DLL could not be initialized)",
        0xC000_0374 => " (heap corruption)",
        0xC000_0409 => " (stack buffer overrun or abort)",
        _ => "",
    };
    format!("{bits:#010X}{name}").replacen("0X", "0x", 1)
}

#[cfg(test)]
mod tests {
    use super::shown_exit_code;

    #[test]
    fn exit_codes_are_decimal_and_those_of_exceptions_hexadecimal() {
        assert_eq!(shown_exit_code(0), "0");
        assert_eq!(shown_exit_code(9009), "9009");
        assert_eq!(shown_exit_code(-1_073_741_819), "0xC0000005 (access violation)");
        assert_eq!(shown_exit_code(-1), "0xFFFFFFFF");
    }
}
