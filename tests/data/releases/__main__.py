from tests.data.releases import this_one, written

if __name__ == "__main__":
    written(this_one())
