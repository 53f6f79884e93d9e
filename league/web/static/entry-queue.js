// Rounds on their way to the server: kept in IndexedDB until each is acknowledged, sent in the order of their numbers.
// Terms: a round of the queue `waits`, is `sent` right now, or is `held` for an answer by people (taken, odd, wrong,
// refused, ahead); `stored` ones stay until the page of the server shows them too. Each has a key of its own, which
// goes with it however often it is sent, so that it can't be stored twice. Never: drops a round by itself.
(() => {
  "use strict";
  const { tischliga } = window;
  const STORE = "rounds";

  const open = () => new Promise((resolve, reject) => {
    const request = indexedDB.open("tischliga", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });

  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  // Where a browser keeps nothing, as some do in a private window, the open page has to do: `lasting` is false then.
  const shelf = async () => {
    try {
      const database = await open();
      const act = (mode, work) => done(work(database.transaction(STORE, mode).objectStore(STORE)));
      return {
        lasting: true,
        all: () => act("readonly", (store) => store.getAll()),
        put: (round) => act("readwrite", (store) => store.put(round)),
        drop: (key) => act("readwrite", (store) => store.delete(key)),
      };
    } catch {
      const kept = new Map();
      return {
        lasting: false,
        all: async () => [...kept.values()],
        put: async (round) => { kept.set(round.key, round); },
        drop: async (key) => { kept.delete(key); },
      };
    }
  };

  // Not crypto.randomUUID, which browsers offer to secure addresses alone.
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const cookie = (name) => document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);

  const token = () => cookie("csrftoken") || document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";

  // Posts and gives {status, answer}; status 0 where there is no network, "login" where the login is asked for.
  const post = async (address, body, headers = {}) => {
    let response;
    try {
      response = await fetch(address, {
        method: "POST",
        body,
        headers: { Accept: "application/json", "X-CSRFToken": token(), ...headers },
        credentials: "same-origin",
        redirect: "manual",
      });
    } catch {
      return { status: 0, answer: {} };
    }
    if (response.type === "opaqueredirect") return { status: "login", answer: {} };
    return { status: response.status, answer: await response.json().catch(() => ({})) };
  };

  const HELD = ["taken", "odd", "wrong", "refused", "ahead"];

  class Queue {
    // `changed` is called whenever anything is another way than before, `again` when it is time to send once more.
    constructor(session, address, changed, again) {
      Object.assign(this, { session, address, changed, again });
      Object.assign(this, { rounds: [], trouble: "", failures: 0, timer: 0, running: null, sending: "", full: false });
    }

    async load() {
      this.shelf = await shelf();
      const all = await this.shelf.all();
      this.rounds = all.filter((one) => one.session === this.session);
      this.sort();
    }

    sort() { this.rounds.sort((a, b) => a.number - b.number); }

    get lasting() { return this.shelf.lasting && !this.full; }
    get waiting() { return this.rounds.filter((one) => one.state === "waits"); }
    get held() { return this.rounds.find((one) => HELD.includes(one.state)); }
    get unsent() { return this.rounds.filter((one) => one.state !== "stored"); }

    async add(round) {
      const whole = { ...round, key: newKey(), session: this.session, state: "waits", replaces: null };
      this.rounds.push(whole);
      this.sort();
      // A browser that has no room left keeps the round in the open page.
      await this.shelf.put(whole).catch(() => { this.full = true; });
      this.changed();
    }

    async change(round, values) {
      Object.assign(round, values);
      this.sort();
      await this.shelf.put(round).catch(() => { this.full = true; });
      this.changed();
    }

    async drop(round) {
      this.rounds = this.rounds.filter((one) => one !== round);
      await this.shelf.drop(round.key);
      this.changed();
    }

    // Forgets acknowledged rounds that the server's own page has: those before `following`.
    async settle(following) {
      for (const one of this.rounds.filter((it) => it.state === "stored" && it.number < following)) await this.drop(one);
    }

    send() {
      clearTimeout(this.timer);
      if (!this.running) this.running = this.run().finally(() => { this.running = null; });
      return this.running;
    }

    async run() {
      let stored = 0;
      for (;;) {
        const next = this.rounds.find((one) => one.state !== "stored");
        // Those behind one that people have to decide on wait for it: its number decides on theirs.
        if (!next || next.state !== "waits") break;
        this.sending = next.key;
        this.changed();
        const { status, answer } = await this.post(next);
        this.sending = "";
        if (!this.rounds.includes(next)) continue;
        this.trouble = this.troubleOf(status, answer);
        if (this.trouble) {
          this.changed();
          if (this.trouble === "offline" || this.trouble === "failed") this.later();
          return stored;
        }
        this.failures = 0;
        if (status === 200) stored += 1;
        await this.change(next, { state: status === 200 ? "stored" : answer.state, answer });
      }
      this.changed();
      return stored;
    }

    post(round) {
      const { key, number, game, note, scores, confirm, replaces } = round;
      const body = JSON.stringify({ key, number, game, note, scores, confirm, replaces });
      return post(this.address, body, { "Content-Type": "application/json" });
    }

    troubleOf(status, answer) {
      if (status === 0) return "offline";
      if (status === "login" || status === 401 || status === 403) return "login";
      if (status === 404) return "gone";
      if (status === 200 || HELD.includes(answer.state)) return "";
      return "failed";
    }

    later() {
      this.failures += 1;
      clearTimeout(this.timer);
      this.timer = setTimeout(this.again, Math.min(2000 * 2 ** this.failures, 60_000));
    }
  }

  Object.assign(tischliga, { Queue, post });
})();
