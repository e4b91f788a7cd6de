def more(prefix):
    native.local_repository(
        name = prefix + "dep",
        path = "third_party/dep",
    )
