//! Jobs of commands that every system of the tests has.
