"""The explorer's page: an exploration as columns, and one HTML file that shows them. Its scripts are made in web/."""
