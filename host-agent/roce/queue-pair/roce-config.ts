import { InputError } from '../../../common/errors';
import type { Bytes, Instant } from '../../../common/units/units';
import { checkParameter } from '../../algorithm/check-parameter';
import type { CheckedHostConfig, FlowSpec, HostConfig } from '../../host/host-config';
import { checkHostConfig } from '../../host/host-config';
import type { RoceOperation } from '../../settings/settings';
import { initialPsn, flowOfSender } from '../packets/connection-numbers';

/** A flow and what carries it; the operation is the host's unless it is given. */
export type RoceFlowSpec = FlowSpec & { readonly operation?: RoceOperation };

/** Writes the payload from byte `sequence` of a flow. */
export type PayloadWriter = NonNullable<FlowSpec['payload']>;

/** A host that speaks RoCEv2. `mss` is the path MTU; both hosts of a flow need the same. */
export interface RoceConfig extends HostConfig {
  /** Operation of flows that name none. Default: write. */
  readonly operation?: RoceOperation;
  /** Payload of the longest message; longer flows take several. Default 1 MiB. */
  readonly messageBytes?: Bytes;
  /** READ requests that may be unanswered; both hosts need the same. Default 16. */
  readonly readsOutstanding?: number;
  /** Timeouts in a row without progress until a flow is given up. Default 7. */
  readonly retryCount?: number;
  /** The same for "receiver not ready"; 7 means without end, as in InfiniBand. Default 7. */
  readonly rnrRetryCount?: number;
  /** Code of the time after which a sender may try a receiver again that was not ready. */
  readonly rnrTimer?: number;
  /** Telemetry in a response to a probe: the link with the highest load, or all. Default: hop. */
  readonly responses?: 'hop' | 'stack';
  /** First PSN of a connection, by the target's queue pair. Default: scattered. */
  readonly initialPsn?: (targetQpn: number) => number;
  /** Bytes that peers may reach in the memory of a flow. Default: without end. */
  readonly regionBytes?: Bytes;
  /** Source of the bytes that peers read in the memory of a flow. Default: virtual zeros. */
  readonly readSource?: (flow: number) => PayloadWriter;
  /** True if a receive buffer is posted for SEND and for immediate data. Default: always. */
  readonly isReceiveReady?: (flow: number, now: Instant) => boolean;
}

type WithDefaults =
  | 'operation'
  | 'messageBytes'
  | 'readsOutstanding'
  | 'retryCount'
  | 'rnrRetryCount'
  | 'rnrTimer'
  | 'responses'
  | 'initialPsn'
  | 'regionBytes';

export type CheckedRoceConfig = CheckedHostConfig &
  Required<Pick<RoceConfig, WithDefaults>> &
  Pick<RoceConfig, 'readSource' | 'isReceiveReady'>;

/** Payload of a full packet unless told: the largest path MTU whose telemetry fits a usual Ethernet. */
export const PATH_MTU: Bytes = 1024;
/** Payload of a full packet, as InfiniBand knows it (volume 1, section 9.4.3). */
const PATH_MTUS: readonly Bytes[] = [256, 512, 1024, 2048, 4096];
const MESSAGE_BYTES: Bytes = 2 ** 20;
/** The longest message of InfiniBand. */
const MESSAGE_BYTES_MAX: Bytes = 2 ** 31;
const READS_OUTSTANDING = 16;
const RETRIES = 7;
/** 10 us, the shortest time there is. */
const RNR_TIMER = 1;

/** Fills in defaults. Throws InputError naming the parameter that is out of range. */
export function checkRoceConfig(config: RoceConfig): CheckedRoceConfig {
  const mss = checkPathMtu(config.mss ?? PATH_MTU);
  const checked = checkHostConfig({ ...config, ...coordinationOf(config), mss }, 'rocev2');
  const whole = (name: string, value: number, high: number, low = 0): number =>
    checkParameter(name, value, { low, high, integer: true });
  return {
    ...checked,
    operation: config.operation ?? 'write',
    messageBytes: whole('messageBytes', config.messageBytes ?? MESSAGE_BYTES, MESSAGE_BYTES_MAX, 1),
    readsOutstanding: whole(
      'readsOutstanding',
      config.readsOutstanding ?? READS_OUTSTANDING,
      128,
      1,
    ),
    retryCount: whole('retryCount', config.retryCount ?? RETRIES, 7),
    rnrRetryCount: whole('rnrRetryCount', config.rnrRetryCount ?? RETRIES, 7),
    rnrTimer: whole('rnrTimer', config.rnrTimer ?? RNR_TIMER, 31),
    responses: config.responses ?? 'hop',
    initialPsn: config.initialPsn ?? initialPsn,
    regionBytes: config.regionBytes ?? Number.MAX_SAFE_INTEGER,
    ...(config.readSource && { readSource: config.readSource }),
    ...(config.isReceiveReady && { isReceiveReady: config.isReceiveReady }),
  };
}

function checkPathMtu(mtu: Bytes): Bytes {
  if (PATH_MTUS.includes(mtu)) return mtu;
  throw new InputError(`the path MTU of RoCEv2 must be ${PATH_MTUS.join(', ')}, got ${mtu}`);
}

/** Observers know data by its flow, whichever end has started it. */
function coordinationOf({ coordination }: RoceConfig): Pick<HostConfig, 'coordination'> {
  const { observe } = coordination ?? {};
  if (coordination === undefined || observe === undefined) return {};
  const byFlow: typeof observe = (event) => observe({ ...event, flow: flowOfSender(event.flow) });
  return { coordination: { ...coordination, observe: byFlow } };
}
