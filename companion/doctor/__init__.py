"""What `companion doctor` looks at: every device of table.toml, the computer, and the home. It repairs nothing."""
