import type { StfReply, StfRequest, StfTarget } from '../../../../../switch/stf/run/requests';

/** A target that remembers requests and answers from a list, otherwise with a sensible default. */
export class RecordingTarget implements StfTarget {
  readonly requests: StfRequest[] = [];

  constructor(private readonly replies: Partial<Record<StfRequest['kind'], StfReply>> = {}) {}

  perform(request: StfRequest): StfReply {
    this.requests.push(request);
    return this.replies[request.kind] ?? DEFAULTS[request.kind] ?? { kind: 'done' };
  }
}

const DEFAULTS: Partial<Record<StfRequest['kind'], StfReply>> = {
  collect: { kind: 'packets', packets: [] },
  'counter-read': { kind: 'count', packets: 0n, bytes: 0n },
  'read-direct-counter': { kind: 'count', packets: 0n, bytes: 0n },
  'register-read': { kind: 'value', value: 0n },
  'read-digests': { kind: 'digests', digests: [] },
  'read-log': { kind: 'log', messages: [] },
};
