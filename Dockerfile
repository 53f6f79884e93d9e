# One image for every service of docker-compose.yml; alone it is the embedded set-up:
# docker run -p 127.0.0.1:8000:8000 -v tischliga:/data tischliga

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements.lock .
RUN python -m venv /venv && /venv/bin/pip install --quiet --require-hashes -r requirements.lock
COPY manage.py ./
COPY games games
COPY league league
COPY api api
# The key and the folder are for this step alone; the product makes its own at its first start.
RUN SECRET_KEY=only-for-collecting-files DATA_DIR=/tmp/build STATIC_ROOT=/app/static \
        /venv/bin/python manage.py collectstatic --no-input --verbosity 0 \
    && /venv/bin/python -m compileall -q .

FROM python:3.13-slim
# Pictures of standings are drawn with it; without it letters beyond English would be spelt out.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin tischliga \
    && install -d -o tischliga -g tischliga -m 0700 /data \
    && install -d -o tischliga -g tischliga -m 0755 /secrets
COPY --from=build /venv /venv
COPY --from=build /app /app
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data STATIC_ROOT=/app/static HOST=0.0.0.0 PORT=8000
WORKDIR /app
USER tischliga
EXPOSE 8000
CMD ["python", "manage.py", "serve"]
