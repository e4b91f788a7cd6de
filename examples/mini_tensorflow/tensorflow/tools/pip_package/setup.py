# Mirrors tensorflow/tools/pip_package/setup.py.
from setuptools import find_packages, setup

setup(name="tensorflow", version="1.0.0", packages=find_packages())
