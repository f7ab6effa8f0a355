import { StateError } from '../../control/table-control';
import { TABLE_REQUESTS, REPLICATION_REQUESTS } from './table-requests';
import { DONE, VirtualSwitch } from './virtual-switch';
import { STATE_REQUESTS } from './state-requests';
import type { ExecutorFactory } from '../../executor/executor';
import type { PortOptions } from '../../v1model/options';
import type { Handlers, RequestOf } from './virtual-switch';
import type { StfReply, StfRequest, StfTarget } from '../run/requests';

/**
 * The embedded switch in virtual time. Packets sent one after the other arrive as a burst, a
 * microsecond apart, and time may pass between them; any other request waits until everything under
 * way has come out.
 */
export class EmbeddedTarget implements StfTarget {
  readonly virtual: VirtualSwitch;

  /**
   * @param json the BMv2 JSON.
   * @param ports see {@link VirtualSwitch}.
   * @throws InputError when the switch cannot run the program.
   */
  constructor(json: string, executor: ExecutorFactory, ports?: readonly PortOptions[]) {
    this.virtual = new VirtualSwitch(json, executor, ports);
  }

  perform(request: StfRequest): StfReply {
    if (!leavesUnderWay(request)) this.virtual.settle();
    try {
      return handle(this.virtual, request.kind, request);
    } catch (error) {
      if (error instanceof StateError) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }
}

/** Sending and letting time pass are the requests that do not wait for packets to come out. */
const leavesUnderWay = (request: StfRequest): boolean =>
  request.kind === 'send' || (request.kind === 'wait' && request.duration > 0);

const HANDLERS: Handlers = {
  'read-digests': ({ digests }) => ({ kind: 'digests', digests: [...digests] }),
  ...TABLE_REQUESTS,
  ...STATE_REQUESTS,
  ...REPLICATION_REQUESTS,
  send: (target, { packet }) => {
    target.send(packet);
    return DONE;
  },
  wait: (target, { duration }) => {
    target.wait(duration);
    return DONE;
  },
  collect: ({ sent }) => ({
    kind: 'packets',
    packets: sent.map(({ port, bytes }) => ({ port, bytes })),
  }),
  'read-log': ({ log }) => ({ kind: 'log', messages: [...log] }),
};

function handle<Kind extends StfRequest['kind']>(
  target: VirtualSwitch,
  kind: Kind,
  request: RequestOf<Kind>,
): StfReply {
  return HANDLERS[kind](target, request);
}
