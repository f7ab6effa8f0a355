import { useEffect, useRef, useState } from 'preact/hooks';
import { durationText } from '../data/duration-text';
import type { RunView } from '../data/page-data';
import type { Look, Moment } from './moment';

/** Parts of the shown time per second. */
const SPEEDS: readonly (readonly [value: number, text: string])[] = [
  [0.02, 'slow'],
  [0.1, 'normal'],
  [0.4, 'fast'],
];
const STEPS = 1000;

/** Moves through the time of the run: by hand, or by itself. */
export function Player({ moment, run }: { readonly moment: Moment; readonly run: RunView }) {
  const [look, setLook] = useState<Look>(moment.look);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(0.1);
  useEffect(() => moment.follow(setLook), [moment]);
  usePlaying(moment, isPlaying ? speed : 0, () => setPlaying(false));
  const { nowUs, fromUs, toUs } = look;
  const span = Math.max(toUs - fromUs, 1e-6);
  const text = durationText(nowUs, run);
  return (
    <div class="player" role="group" aria-label="Time">
      <button type="button" class="play" onClick={() => setPlaying(!isPlaying)}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <input
        type="range"
        aria-label="Instant of the run"
        aria-valuetext={text}
        min={0}
        max={STEPS}
        step={1}
        value={Math.round(((nowUs - fromUs) / span) * STEPS)}
        onInput={({ currentTarget }) =>
          moment.change({ nowUs: fromUs + (Number(currentTarget.value) / STEPS) * span })
        }
      />
      <output class="clock">{text}</output>
      <label>
        speed{' '}
        <select
          value={speed}
          onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}
        >
          {SPEEDS.map(([value, name]) => (
            <option key={name} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => moment.zoom(0.5)}>
        Zoom in
      </button>
      <button type="button" onClick={() => moment.zoom(2)}>
        Zoom out
      </button>
      <button type="button" onClick={() => moment.whole()} disabled={moment.isWhole}>
        Whole run
      </button>
      <span class="range">
        {durationText(fromUs, run)} to {durationText(toUs, run)}
      </span>
    </div>
  );
}

/** Plays the run: from the end it begins again; at the end it stops. */
function usePlaying(moment: Moment, speed: number, ended: () => void): void {
  const end = useRef(ended);
  end.current = ended;
  useEffect(() => {
    if (speed === 0) return undefined;
    let [frame, last] = [0, performance.now()];
    if (moment.look.nowUs >= moment.look.toUs) moment.change({ nowUs: moment.look.fromUs });
    const step = (time: number): void => {
      const { nowUs, fromUs, toUs } = moment.look;
      const next = nowUs + ((time - last) / 1000) * speed * (toUs - fromUs);
      last = time;
      moment.change({ nowUs: Math.min(next, toUs) });
      if (next >= toUs) end.current();
      else frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [moment, speed]);
}
