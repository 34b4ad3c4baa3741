//! Windows has no hangup: a console that is closed ends its programs, and none can refuse that.

pub(super) fn are_ignored() -> bool {
    false
}

pub(super) fn ignore() {}
