"""Reading unmodified pawns and tokens on a graph of small sites: each site's patch is compared with the bare print and with
what was taught of every kind of piece, all sites together, what stands in front hiding what lies behind."""
