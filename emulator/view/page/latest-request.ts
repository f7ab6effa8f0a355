/**
 * Requests something from the server that takes time. A later request replaces the one before, which
 * the server then gives up.
 */
export class LatestRequest {
  #stop = new AbortController();

  /** The answer, or the text of a refusal; undefined when a later request came first. */
  async get(path: string): Promise<{ readonly found: unknown } | string | undefined> {
    this.#stop.abort();
    const stop = (this.#stop = new AbortController());
    try {
      const answer = await fetch(path, { signal: stop.signal });
      return answer.ok ? { found: await answer.json() } : await answer.text();
    } catch (error) {
      return stop.signal.aborted ? undefined : `The server does not answer: ${String(error)}`;
    }
  }

  end(): void {
    this.#stop.abort();
  }
}
