"""Reads of one moment."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from league.models import Club
from league.services.moments import one_moment


@pytest.mark.django_db(transaction=True)
def test_the_first_read_of_a_thread_may_be_one() -> None:
    def read() -> int:
        try:
            with one_moment():
                return Club.objects.count()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(read).result() == 0
