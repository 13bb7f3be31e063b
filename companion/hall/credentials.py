"""Credentials of tables, and codes to join with.

A table has one credential, for the hall's server and for the broker. The hall keeps only its hash, in the format of
Mosquitto's password files (`$7$`: PBKDF2 with SHA-512), so that one list serves both.
"""

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from binascii import Error as Base64Error

CREDENTIAL_BYTES = 24
ROUNDS = 101
"""As mosquitto_passwd does. A credential is random, so it cannot be guessed from its hash."""
SALT_BYTES = 12
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
CODE_LENGTH = 8


def new_credential() -> str:
    return secrets.token_urlsafe(CREDENTIAL_BYTES)


def bytes_of(text: str) -> bytes:
    """Of a header that a client has sent: aiohttp keeps bytes that are no UTF-8 as surrogates."""
    return text.encode("utf-8", "surrogatepass")


def credential_hash(credential: str, salt: bytes | None = None) -> str:
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    derived = hashlib.pbkdf2_hmac("sha512", bytes_of(credential), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(derived).decode()}"


def is_credential(credential: str, stored: str) -> bool:
    """Whether this credential has that hash."""
    try:
        salt = b64decode(stored.split("$")[3])
    except (IndexError, Base64Error):
        return False
    return hmac.compare_digest(credential_hash(credential, salt), stored)


def new_table_code() -> str:
    """For a table to join with, to be read out and typed: K7MX-2P9D."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def typed_code(text: str) -> str:
    """A code as it is compared: in capitals, without dashes and blanks."""
    return "".join(char for char in text.upper() if char.isalnum())
