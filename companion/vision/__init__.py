"""Frame + table profile -> reading. Knows pixels, markers and colours; knows no rules."""
