/**
 * `hpcc-plus-plus/telemetry`: in-band telemetry as hop records. Reads INT-MD, HPCC padding, IOAM, IFA,
 * CSIG, telemetry reports, RoCEv2 and congestion notifications from frames and captures.
 *
 * @example
 * for (const { frame, decoded } of decodeCapture(fs.readFileSync('capture.pcap'))) {
 *   if (decoded instanceof WireFault) console.log(frame, decoded.toString());
 *   else for (const found of decoded.telemetry) console.log(frame, found);
 * }
 *
 * @module telemetry
 */
export { decodeCapture } from './decode-capture';
export type { DecodedCaptureFrame, DecodeOptions } from './decode-capture';
export { decodeFrame } from './decode-frame';
export type { DecodedFrame } from './decode-frame';
export { DEFAULT_DECODE_SETTINGS } from './decode-settings';
export type { DecodeSettings } from './decode-settings';
export { DECODE_FORMATS } from './telemetry';
export type { DecodeFormat, Telemetry } from './telemetry';
export { telemetryLine } from './telemetry-line';
export type { IpLayer, TransportLayer } from './frame-layers';
export type { IfaHeader } from '../../wire/ifa/ifa2';
export type { Ipv6Option } from '../../wire/ip/ipv6';
export type { CsigDialect } from '../../wire/csig/csig';
export type { BitsPerSecond, Bytes } from '../../units/units';
export { isHopRecord } from '../../hop/hop';
export type { HopRecord, HopTelemetry } from '../../hop/hop';
export type { HopUnits } from '../../hop/hop-units';
export type { CaptureTime } from '../../wire/capture/pcap';
export { WireFault } from '../../wire/fault';
export { InputError } from '../../errors';
