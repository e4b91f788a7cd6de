"""A checkout as a dataset: Parquet files in folders that DuckDB, Polars and Spark read in place (docs/dataset.md)."""
