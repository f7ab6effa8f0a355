import { InputError } from '../../../common/errors';
import { parseMetrics } from '../live/metrics-text';
import type { Metrics } from '../live/metrics-text';

/** A switch or an agent, and where it serves metrics. */
export interface MetricsTarget {
  readonly name: string;
  /** HOST:PORT. */
  readonly address: string;
}

/** Limits of one request. */
export interface AnswerLimits {
  /** Time from the request to the last byte. */
  readonly ms: number;
  readonly bytes: number;
}

/** Limits: a switch of 512 ports sends 0.3 MB, an agent of 10,000 flows 3 MB. */
const LIMITS: AnswerLimits = { ms: 2000, bytes: 4e6 };

/**
 * Requests metrics once. A peer that sends for ever, or hardly at all, costs no more than the
 * limits.
 * @param signal ends the request when its answer is not needed any more.
 * @throws InputError with the reason, when there is no answer that can be used.
 */
export async function requestMetrics(
  { name, address }: MetricsTarget,
  signal: AbortSignal,
  limits: AnswerLimits = LIMITS,
): Promise<Metrics> {
  const stop = new AbortController();
  const end = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', end);
  const timer = setTimeout(() => {
    stop.abort(new Error(`no whole answer within ${limits.ms / 1000} s`));
  }, limits.ms);
  try {
    // Redirects are not followed: only the named peer is contacted.
    const answer = await fetch(`http://${address}/metrics`, {
      signal: stop.signal,
      redirect: 'manual',
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return parseMetrics(await boundedText(answer, limits.bytes));
  } catch (error) {
    const { message, cause } = error as Error & { readonly cause?: Partial<Error> };
    const reason = cause?.message ?? message;
    throw new InputError(`no metrics of ${name} at http://${address}/metrics: ${reason}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    // A body that was not read to its end would keep its connection.
    stop.abort();
  }
}

/** @throws Error as soon as there is more than `bytesMax`, however much is still to come. */
async function boundedText({ body }: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`more than ${bytesMax} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
