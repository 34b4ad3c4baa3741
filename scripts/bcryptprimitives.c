/*
 * The one function of bcryptprimitives.dll that Rust's standard library calls.
 *
 * Wine has that library only since release 9; Debian 12 brings release 8. Laid beside a program, this one
 * lets it start there. It is for Wine alone and is never shipped: Windows has its own.
 */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length);

/* Fills `buffer` with `length` random bytes; RtlGenRandom takes no more than a ULONG at a time. */
BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length)
{
    while (length > 0) {
        ULONG piece = length > 0x40000000 ? 0x40000000 : (ULONG)length;
        if (!RtlGenRandom(buffer, piece))
            return FALSE;
        buffer += piece;
        length -= piece;
    }
    return TRUE;
}
