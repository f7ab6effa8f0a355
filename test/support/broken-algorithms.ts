/** Head and tail of a control that obeys marks, around what a broken one does in place of some of it. */
const aimd = ({
  before = '',
  start = 'full',
  onAck = '',
  marked = 'windowBytes = Math.max(segmentBytes / 10, windowBytes * 0.7); heldUntil = nextSequence;',
  free = 'windowBytes = Math.min(full, windowBytes + (segmentBytes * segmentBytes) / windowBytes);',
  onLoss = 'windowBytes = Math.max(segmentBytes / 10, windowBytes * 0.5);',
  more = '',
}: Partial<
  Record<'before' | 'start' | 'onAck' | 'marked' | 'free' | 'onLoss' | 'more', string>
>): string => `
export const signals = { telemetry: 'none', marks: true };
export const marking = { minBytes: 100000, maxBytes: 100000, maxProbability: 1 };
let flows = 0;
export function create({ linkRate, baseRtt, segmentBytes }) {
  const full = (linkRate * baseRtt) / 8e12;
  const number = flows++;
  let acks = 0;
  let heldUntil = -1;
  ${before}
  let windowBytes = ${start};
  return {
    get windowBytes() { return windowBytes; },
    get pacingRate() { return Math.min(linkRate, (8e12 * windowBytes) / baseRtt); },
    onAck({ ackSequence, nextSequence, isMarked, now }) {
      acks++;
      ${onAck}
      if (isMarked && ackSequence > heldUntil) { ${marked} } else if (!isMarked) { ${free} }
    },
    onLoss({ nextSequence }) { ${onLoss} },
    ${more}
  };
}
`;

/** A sound control, for what a judge must not find. */
export const SOUND_ALGORITHM = aimd({});

/** An algorithm that is broken on purpose, and the law that it breaks. */
export interface BrokenAlgorithm {
  readonly name: string;
  readonly law: string;
  /** Text of the breach. */
  readonly said: RegExp;
  readonly text: string;
}

export const BROKEN_ALGORITHMS: readonly BrokenAlgorithm[] = [
  {
    name: 'hangs',
    law: 'runs',
    said: /has not returned for/,
    text: aimd({ onAck: 'while (acks > 50) {}' }),
  },
  {
    name: 'throws',
    law: 'runs',
    said: /onAck threw: out of cheese/,
    text: aimd({ onAck: "if (acks > 2000) throw new Error('out of cheese');" }),
  },
  {
    name: 'leaves NaN',
    law: 'runs',
    said: /windowBytes at NaN/,
    text: aimd({ marked: 'windowBytes *= undefined;' }),
  },
  {
    name: 'closes its window',
    law: 'runs',
    said: /windowBytes at 0;/,
    text: aimd({ onLoss: 'windowBytes = 0;' }),
  },
  {
    name: 'wakes up without end',
    law: 'runs',
    said: /virtual time hardly goes on/,
    text: aimd({
      before: 'let at = 1;',
      more: 'get wakeupAt() { return at; }, onWakeup(now) { at = now + 1; },',
    }),
  },
  {
    name: 'ignores marks',
    law: 'bounded queue',
    said: /the queue stood at/,
    text: aimd({ start: '1000 * full', marked: '', free: '', onLoss: '' }),
  },
  {
    name: 'never comes back from a mark',
    law: 'no collapse',
    said: /complete after|never complete/,
    text: aimd({ free: '' }),
  },
  {
    name: 'gives up at a loss',
    law: 'no collapse',
    said: /complete after|never complete/,
    text: aimd({
      before: 'let lost = false;',
      onLoss: 'lost = true; windowBytes = segmentBytes / 100;',
      free: 'if (!lost) windowBytes = Math.min(full, windowBytes + 20);',
    }),
  },
  {
    name: 'lets the first flow have it all',
    law: 'no starvation',
    said: /of its fair part/,
    text: aimd({
      start: 'number % 2 === 0 ? full : segmentBytes / 100',
      marked: '',
      free: '',
      onLoss: '',
    }),
  },
  {
    name: 'gives to those who have',
    law: 'convergence',
    said: /fair after/,
    text: aimd({
      start: 'number % 2 === 0 ? full : full / 20',
      free: 'windowBytes = Math.min(20 * full, windowBytes * 1.02);',
    }),
  },
  {
    name: 'counts time in us whatever T is',
    law: 'no collapse',
    said: /complete after|never complete/,
    text: aimd({
      before: 'let until = 0;',
      onAck: 'if (now < until) return; until = now + 4e8;',
      marked: 'windowBytes = segmentBytes;',
    }),
  },
];
