// When a server is started and stopped: pure of VS Code, so that every state can be tested.

/** One server, from the moment that it is being started. */
export interface Launched {
  /** Ends it, in whatever state it is; never throws, and takes no longer than a few seconds. */
  stop(): Promise<void>;
}

/**
 * One server at a time. Starting, restarting and ending follow each other in the order in which they were asked for, and a
 * start that hangs holds up none of them: what is launched is stopped, not waited for.
 */
export class Lifecycle {
  private queue: Promise<void> = Promise.resolve();
  private launched: Launched | undefined;
  private restarting: Promise<void> | undefined;
  private ended = false;
  private started = false;

  /** `launch` begins to start a server and returns at once; undefined if there is none to start. */
  constructor(private readonly launch: () => Promise<Launched | undefined>) {}

  /** Whether a server was ever asked for. */
  get isWanted(): boolean {
    return this.started && !this.ended;
  }

  /** Starts a server, unless one was started before: what became of it is for `restart` to mend. */
  start(): Promise<void> {
    if (this.started) {
      return this.queue;
    }
    this.started = true;
    return this.enqueue(() => this.replace());
  }

  /** Stops what there is and starts a server; two that are asked for at once are one. */
  restart(): Promise<void> {
    this.started = true;
    this.restarting ??= this.enqueue(() => {
      this.restarting = undefined;
      return this.replace();
    });
    return this.restarting;
  }

  /** Stops what there is, for good. */
  end(): Promise<void> {
    this.ended = true;
    return this.enqueue(() => this.stop());
  }

  private async replace(): Promise<void> {
    await this.stop();
    if (!this.ended) {
      this.launched = await this.launch();
    }
  }

  private async stop(): Promise<void> {
    const launched = this.launched;
    this.launched = undefined;
    await launched?.stop();
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined); // One that fails is no reason to leave out the next.
    return done;
  }
}
