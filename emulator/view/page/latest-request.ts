import { createContext } from 'preact';

/** The answer to a page's question, or the text of a refusal. */
export type Answered = { readonly found: unknown } | string;

/** Puts a question, such as `trace?from=1&length=5`, to whatever holds the run. */
export type Requester = (path: string, stop: AbortSignal) => Promise<Answered>;

/** Asks the server from which the page came. */
export const requestFromServer: Requester = async (path, signal) => {
  try {
    const answer = await fetch(path, { signal });
    return answer.ok ? { found: await answer.json() } : await answer.text();
  } catch (error) {
    return `The server does not answer: ${String(error)}`;
  }
};

/** Whom the page's views ask. */
export const Requests = createContext<Requester>(requestFromServer);

/**
 * Requests something that takes time. A later request replaces the one before, which whoever answers then
 * gives up.
 */
export class LatestRequest {
  #stop = new AbortController();

  constructor(private readonly request: Requester) {}

  /** The answer, or the text of a refusal; undefined when a later request came first. */
  async get(path: string): Promise<Answered | undefined> {
    this.#stop.abort();
    const stop = (this.#stop = new AbortController());
    const answered = await this.request(path, stop.signal);
    return stop.signal.aborted ? undefined : answered;
  }

  end(): void {
    this.#stop.abort();
  }
}
