import * as gnmi from '../../../common/p4runtime/generated/gnmi/gnmi';
import type { GnmiDataType, GnmiEncoding, GnmiMode } from '../../gnmi/notification';

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

export const MODE: Readonly<Record<GnmiMode, gnmi.SubscriptionListMode>> = {
  stream: gnmi.SubscriptionListMode.STREAM,
  once: gnmi.SubscriptionListMode.ONCE,
  poll: gnmi.SubscriptionListMode.POLL,
};
