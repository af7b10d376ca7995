import assert from "node:assert/strict";
import { test } from "node:test";

import { type Launched, Lifecycle } from "../src/lifecycle.ts";

type Launch = (number: number) => Launched | undefined | Promise<never>;

/** A lifecycle whose servers take down what becomes of them; `launch` decides, in place of a server that runs. */
function watched(launch?: Launch) {
  const seen: string[] = [];
  let number = 0;
  const server = (name: number): Launched => ({
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push(`stop ${name}`);
    },
  });
  const lifecycle = new Lifecycle(async () => {
    seen.push(`start ${++number}`);
    return (launch ?? server)(number);
  });
  return { lifecycle, seen, server };
}

test("the first document starts a server, and no other does", async () => {
  const { lifecycle, seen } = watched();
  assert.equal(lifecycle.isWanted, false);
  await Promise.all([lifecycle.start(), lifecycle.start()]);
  await lifecycle.start();
  assert.equal(lifecycle.isWanted, true);
  assert.deepEqual(seen, ["start 1"]);
});

test("a restart ends the old server before it starts a new one", async () => {
  const { lifecycle, seen } = watched();
  await lifecycle.start();
  await lifecycle.restart();
  assert.deepEqual(seen, ["start 1", "stop 1", "start 2"]);
});

test("two restarts at once are one, and one that comes later is another", async () => {
  const { lifecycle, seen } = watched();
  await lifecycle.start();
  await Promise.all([lifecycle.restart(), lifecycle.restart(), lifecycle.restart()]);
  assert.deepEqual(seen, ["start 1", "stop 1", "start 2"]);
  await lifecycle.restart();
  assert.deepEqual(seen.slice(3), ["stop 2", "start 3"]);
});

test("a launch that came to nothing, or failed, can be restarted", async () => {
  let fails: Launch = () => undefined;
  const { lifecycle, seen, server } = watched((number) => fails(number));
  await lifecycle.start();
  fails = () => Promise.reject(new Error("no such file"));
  await assert.rejects(lifecycle.restart());
  fails = () => server(3);
  await lifecycle.restart();
  await lifecycle.end();
  assert.deepEqual(seen, ["start 1", "start 2", "start 3", "stop 3"]);
});

test("after the end nothing is started", async () => {
  const { lifecycle, seen } = watched();
  await lifecycle.start();
  await lifecycle.end();
  await lifecycle.restart();
  assert.equal(lifecycle.isWanted, false);
  assert.deepEqual(seen, ["start 1", "stop 1"]);
});

test("what is ended before it has begun is never started", async () => {
  const { lifecycle, seen } = watched();
  const started = lifecycle.start();
  await lifecycle.end();
  await started;
  assert.deepEqual(seen, []);
});
