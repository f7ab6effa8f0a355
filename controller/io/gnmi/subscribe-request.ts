import * as gnmi from '../../../common/p4runtime/generated/gnmi/gnmi';
import type { GnmiEncoding, GnmiMode, GnmiDataType } from '../../gnmi/notification';
import type { GnmiPath } from '../../gnmi/path';
import { unsigned64 } from '../../p4runtime/entities/wire-values';
import { pathMessage } from './messages';

/** Trigger of a value in a subscription of mode `stream`. */
export type StreamTrigger =
  | { readonly kind: 'target-defined' }
  | {
      readonly kind: 'on-change';
      /** Sends values that have not changed this often too, in ns; never unless given. */
      readonly heartbeatNs?: bigint;
    }
  | {
      readonly kind: 'sample';
      /** Time between samples in ns; 0 is as often as the device can. */
      readonly intervalNs: bigint;
      /** Leaves out values that have not changed. */
      readonly suppressRedundant?: boolean;
      /** Longest time without a value, in ns; no limit unless given. */
      readonly heartbeatNs?: bigint;
    };

export interface SubscribeOptions {
  readonly mode: GnmiMode;
  /** Trigger of values in mode `stream`; the device's choice unless given. */
  readonly trigger?: StreamTrigger;
  /** JSON unless given, as in the specification. */
  readonly encoding?: GnmiEncoding;
  /** Leaves out the state of the beginning. */
  readonly updatesOnly?: boolean;
}

/** The request that opens a subscription. @throws InputError for intervals outside of 64 bits. */
export function subscribeRequest(
  paths: readonly GnmiPath[],
  { mode, trigger = { kind: 'target-defined' }, encoding = 'json', ...rest }: SubscribeOptions,
): gnmi.SubscribeRequest {
  const subscribe = new gnmi.SubscriptionList({
    mode: MODE[mode],
    encoding: ENCODING[encoding],
    updatesOnly: rest.updatesOnly ?? false,
    subscription: paths.map(
      (path) => new gnmi.Subscription({ path: pathMessage(path), ...triggerFields(trigger) }),
    ),
  });
  return new gnmi.SubscribeRequest({ subscribe });
}

function triggerFields(trigger: StreamTrigger): TriggerFields {
  switch (trigger.kind) {
    case 'target-defined':
      return { mode: gnmi.SubscriptionMode.TARGET_DEFINED };
    case 'on-change':
      return {
        mode: gnmi.SubscriptionMode.ON_CHANGE,
        heartbeatInterval: unsigned64(trigger.heartbeatNs ?? 0n, 'heartbeat interval'),
      };
    case 'sample':
      return {
        mode: gnmi.SubscriptionMode.SAMPLE,
        sampleInterval: unsigned64(trigger.intervalNs, 'sample interval'),
        suppressRedundant: trigger.suppressRedundant ?? false,
        heartbeatInterval: unsigned64(trigger.heartbeatNs ?? 0n, 'heartbeat interval'),
      };
  }
}

interface TriggerFields {
  readonly mode: gnmi.SubscriptionMode;
  readonly sampleInterval?: string;
  readonly suppressRedundant?: boolean;
  readonly heartbeatInterval?: string;
}

export const ENCODING: Readonly<Record<GnmiEncoding, gnmi.Encoding>> = {
  json: gnmi.Encoding.JSON,
  bytes: gnmi.Encoding.BYTES,
  proto: gnmi.Encoding.PROTO,
  ascii: gnmi.Encoding.ASCII,
  json_ietf: gnmi.Encoding.JSON_IETF,
};

export const DATA_TYPE: Readonly<Record<GnmiDataType, gnmi.GetRequestDataType>> = {
  all: gnmi.GetRequestDataType.ALL,
  config: gnmi.GetRequestDataType.CONFIG,
  state: gnmi.GetRequestDataType.STATE,
  operational: gnmi.GetRequestDataType.OPERATIONAL,
};

const MODE: Readonly<Record<GnmiMode, gnmi.SubscriptionListMode>> = {
  stream: gnmi.SubscriptionListMode.STREAM,
  once: gnmi.SubscriptionListMode.ONCE,
  poll: gnmi.SubscriptionListMode.POLL,
};
