"""Readers behind the daemon pcscd, such as the ACR122U: driver, and a virtual reader behind the real daemon."""
