"""Cameras behind one port: by address, live or recorded, with logins and certificates, and one that misbehaves on purpose."""
