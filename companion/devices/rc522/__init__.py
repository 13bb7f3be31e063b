"""The RC522 reader (MFRC522) on the Pi's SPI bus: driver, doctor check and simulated chip. Wiring: docs/hardware/."""
