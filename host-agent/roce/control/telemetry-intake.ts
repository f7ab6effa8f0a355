import { isHopRecord } from '../../../common/hop/hop';
import { responseHop } from '../../../common/telemetry/compact-hops';
import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import type { TelemetryResponse } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_HOP_MISSING } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_PATH_CHANGED } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_WINDOW } from '../../../common/wire/roce/telemetry-messages';
import { RESPONSE_FLAG_STACK } from '../../../common/wire/roce/telemetry-messages';
import { TELEMETRY_RESPONSE_LENGTH } from '../../../common/wire/roce/telemetry-messages';
import type { TelemetryReader } from '../../carrier/carrier';
import type { CongestionSample } from '../../carrier/congestion-sample';
import type { WindowRecord } from '../../../common/wire/hpcc/feedback-records';
import { readWindowRecord, WINDOW_RECORD_LENGTH } from '../../../common/wire/hpcc/feedback-records';
import type { TelemetryProbes } from '../../transport/sending/telemetry-probes';
import { LABEL_RESPONSE } from './control-signer';
import type { ControlSigner } from './control-signer';
import type { FeedbackOutcome } from '../../host/host-events';
import type { ReceivedPacket } from '../packets/received-packet';
import { REPORT_ID } from './telemetry-answers';
import type { HopRecord } from '../../../common/hop/hop';
import { withNewerHop } from '../../carrier/congestion-sample';
import type { CheckedRoceConfig } from '../queue-pair/roce-config';

/** Takes a report of data that has arrived, at the end that sends it. */
export type ReportHandler = (
  now: Instant,
  psn: number,
  sample: CongestionSample | undefined,
) => FeedbackOutcome;

/** The sender of data, as responses concern it. */
interface ProbingStream {
  /** Undefined unless it asks by probes. */
  readonly probes: TelemetryProbes | undefined;
  /** Returns false if the algorithm runs here, so that nobody's window is obeyed. */
  handleWindow(now: Instant, record: WindowRecord): boolean;
}

/** Takes telemetry responses for the sender of data. */
export class TelemetryIntake {
  readonly #signer: ControlSigner;
  readonly #reader: TelemetryReader;
  readonly #links = new KnownLinks();

  constructor(signer: ControlSigner, { carrier, baseRtt }: CheckedRoceConfig) {
    this.#signer = signer;
    this.#reader = carrier.newReader(baseRtt);
  }

  handle(
    now: Instant,
    { packet, frame }: { readonly packet: ReceivedPacket; readonly frame: Packet },
    stream: ProbingStream | undefined,
    onReport?: ReportHandler,
  ): FeedbackOutcome {
    const { content, bth } = packet;
    if (content.kind !== 'telemetry-response') return 'unrequested';
    const body = this.#signer.verify(LABEL_RESPONSE, packet, frame);
    if (typeof body === 'string') return body;
    const { response } = content;
    const told = body.subarray(TELEMETRY_RESPONSE_LENGTH);
    if ((response.flags & RESPONSE_FLAG_WINDOW) !== 0) {
      if (told.length !== WINDOW_RECORD_LENGTH) return 'unrequested';
      if (stream?.handleWindow(now, readWindowRecord(told, 0)) !== true) return 'unrequested';
    }
    const sample = this.#sampleOf(response, told);
    if (response.requestId === REPORT_ID) {
      return onReport?.(now, bth.psn, sample) ?? 'unrequested';
    }
    const verdict = stream?.probes?.handleResponse(now, response.requestId, sample);
    if (verdict === undefined || verdict === 'unknown') return 'unrequested';
    if (verdict === 'late') return 'late';
    if (sample?.kind === 'links') this.#links.keep(sample.telemetry);
    return 'taken';
  }

  /**
   * All links where the response has the stack, or else the one it names among those that are known
   * already. Undefined if it brings nothing new.
   */
  #sampleOf(response: TelemetryResponse, stack: Uint8Array): CongestionSample | undefined {
    const { flags, hopCount } = response;
    if ((flags & RESPONSE_FLAG_STACK) !== 0) return this.#reader.read(stack, 0, stack.length);
    if (hopCount === 0) return undefined;
    const hop = responseHop(response);
    if (!isHopRecord(hop)) return undefined;
    const isIncomplete = (flags & RESPONSE_FLAG_HOP_MISSING) !== 0;
    const telemetry = this.#links.with(hop, (flags & RESPONSE_FLAG_PATH_CHANGED) !== 0);
    return telemetry && { kind: 'links', telemetry, isIncomplete };
  }
}

/**
 * The links of a path from responses that name one each. The newest record takes its place among
 * those of the other links, which then show no time passed.
 */
export class KnownLinks {
  #links: readonly HopRecord[] = [];

  /** All links with what `hop` says, or undefined if what is known of it is as new. Keeps nothing. */
  with(hop: HopRecord, isOtherPath: boolean): readonly HopRecord[] | undefined {
    if (isOtherPath) return [hop];
    const isKnown = this.#links.some(
      ({ switchId, portId }) => switchId === hop.switchId && portId === hop.portId,
    );
    return isKnown ? withNewerHop(this.#links, hop) : [...this.#links, hop];
  }

  /** Keeps the links of the sample that was used last. */
  keep(links: readonly HopRecord[]): void {
    this.#links = links;
  }
}
