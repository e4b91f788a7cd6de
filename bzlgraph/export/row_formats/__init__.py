"""Rows under named columns -> text and bytes: csv, markdown, table, html, json, jsonl, parquet, and a DataFrame."""
