import type { Clock } from '../../../common/io/monotonic-clock';
import type { Instant } from '../../../common/units/units';
import { milliseconds } from '../../../common/units/units';
import type { TcpControl } from '../../tcp/tcp-control';
import { LiveLoop } from '../process/live-loop';
import type { Arrival, LiveWork, Pace } from '../process/live-loop';
import type { TcpPort } from './tcp-port';

/** While segments arrive they are looked at after each nap; after so many without any, none do. */
const PACE: Pace = {
  rounds: 16,
  turnMax: milliseconds(32),
  napMax: milliseconds(2),
  idleNaps: 100,
};

/** Looks at the end: enough for a full ring, and an end to them while segments go on arriving. */
const LAST_LOOKS = 64;

export interface TcpDriverOptions {
  readonly clock: Clock;
  readonly control: TcpControl;
  readonly port: TcpPort;
  /** Everything that control has decided in a round is to be done now. */
  readonly onRound: () => void;
  /** Called once when it cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Drives the control of connections by the machine's clock. Telemetry is handled when it arrives;
 * the segments of connections, of which there may be thousands between two probes, every two
 * milliseconds in one go, so that no packet of a connection costs a wake-up.
 */
export function tcpDriver(options: TcpDriverOptions): LiveLoop {
  const { clock, control, port, onRound, onFailure } = options;
  const look = (now: Instant): number =>
    port.drainSegments((frame) => control.handleSegment(now, frame));
  const work: LiveWork = {
    round: (now): Arrival => {
      const segments = look(now);
      const telemetry = port.drainTelemetry((frame) => control.handleTelemetry(clock(), frame));
      control.handleTimers(clock());
      port.flush();
      onRound();
      if (telemetry > 0) return 'more';
      return segments > 0 ? 'some' : 'none';
    },
    nextAt: (now: Instant) => control.nextAt(now),
    // What arrived before the end counts: on a busy machine that may be all since the last turn.
    finish: () => {
      for (let i = 0; i < LAST_LOOKS && look(clock()) > 0; i++);
    },
  };
  const fds = { urgent: [port.telemetryFd], other: [port.segmentsFd] };
  return new LiveLoop({ clock, work, pace: PACE, fds, onFailure });
}
