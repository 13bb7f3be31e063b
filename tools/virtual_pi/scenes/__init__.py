"""What happens to the guest, one after the other. A scene is a function that raises AssertionError where it fails."""
