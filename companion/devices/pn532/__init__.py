"""The PN532 reader on USB or a UART: driver, the ports it may be on, and a simulated chip."""
