import { LiveLoop } from '../../../common/io/loop/live-loop';
import type { LiveWork } from '../../../common/io/loop/live-loop';
import type { Clock } from '../../../common/io/monotonic-clock';
import type { Duration, Instant } from '../../../common/units/units';
import { milliseconds } from '../../../common/units/units';
import type { TcpControl } from '../../tcp/tcp-control';
import type { TcpPort } from './tcp-port';

/** While segments arrive they are looked at so often; after so many looks without any, none are. */
const LOOK_EVERY: Duration = milliseconds(2);
const QUIET_LOOKS = 100;

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
  let quietLooks = 0;
  let nextLook: Instant = 0;
  const look = (now: Instant): number =>
    port.drainSegments((frame) => control.handleSegment(now, frame));
  const lookAtSegments = (now: Instant): void => {
    if (look(now) > 0) quietLooks = 0;
    else if (now >= nextLook) quietLooks++;
    if (now >= nextLook) nextLook = now + LOOK_EVERY;
    // The first segment after a silence is waited for; those that follow it are not.
    if (quietLooks < QUIET_LOOKS) loop.unwatch(port.segmentsFd);
    else loop.watch(port.segmentsFd);
  };
  const work: LiveWork = {
    round: (now) => {
      lookAtSegments(now);
      const handled = port.drainTelemetry((frame) => control.handleTelemetry(clock(), frame));
      control.handleTimers(clock());
      port.flush();
      if (handled === 0) port.forgetErrors();
      onRound();
      return handled;
    },
    nextAt: (now) =>
      quietLooks < QUIET_LOOKS ? Math.min(nextLook, control.nextAt(now)) : control.nextAt(now),
    // Frames that arrived before the end count: on a busy machine that may be all since the last turn.
    finish: () => {
      for (let i = 0; i < LAST_LOOKS && look(clock()) > 0; i++);
    },
  };
  const loop = new LiveLoop({ clock, work, gather: 0, fds: [port.telemetryFd], onFailure });
  return loop;
}
