"""How messages travel between tables and hub: HTTP built in, or MQTT over a broker. Each has an end for either side."""
