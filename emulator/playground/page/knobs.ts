import { parseDocument } from 'yaml';
import type { Document } from 'yaml';
import type { Choices } from '../io/messages';

/** A value of a scenario that has a field of its own beside the text. */
export interface Knob {
  readonly label: string;
  /** Values to choose from; a number without. */
  readonly choices?: readonly string[];
  /** The value, as text; empty where the scenario leaves it to its default. */
  readonly value: string;
  /** The text with another value, or without one; comments and the rest stay. */
  readonly changed: (value: string) => string;
}

/** Name under which a scenario uses the algorithm that is edited on the page. */
export const EDITED_ALGORITHM = './algorithm.mjs';

/** The values that readers change most; none while the text is no YAML. */
export function knobsOf(text: string, { algorithms, profiles }: Choices): readonly Knob[] {
  const document = parseDocument(text);
  if (document.errors.length > 0) return [];
  return [
    ...sendersKnob(text, document),
    knobAt(text, {
      label: 'algorithm',
      path: ['parameters', 'algorithm'],
      choices: [...algorithms, EDITED_ALGORITHM],
    }),
    knobAt(text, { label: 'eta', path: ['parameters', 'targetUtilization'] }),
    knobAt(text, { label: 'maxStage', path: ['parameters', 'maxStage'] }),
    knobAt(text, { label: 'P4 profile', path: ['profile'], choices: profiles }),
  ];
}

interface Place {
  readonly label: string;
  readonly path: readonly string[];
  readonly choices?: readonly string[];
}

function knobAt(text: string, { label, path, choices }: Place): Knob {
  const found: unknown = parseDocument(text).getIn(path);
  const isValue = typeof found === 'string' || typeof found === 'number';
  return {
    label,
    ...(choices && { choices }),
    value: isValue ? String(found) : '',
    changed: (value) => {
      const document = parseDocument(text);
      if (value === '') document.deleteIn(path);
      else document.setIn(path, choices === undefined ? Number(value) : value);
      return document.toString();
    },
  };
}

interface FlowText {
  readonly from?: unknown;
  readonly to?: unknown;
}

interface IncastText {
  readonly topology?: { readonly kind?: unknown };
  readonly flows?: unknown;
}

/** The number of senders, where the hosts of a star send to its first one. */
function sendersKnob(text: string, document: Document): Knob[] {
  const { topology, flows: given } = (document.toJS() ?? {}) as IncastText;
  const flows = Array.isArray(given) ? (given as readonly FlowText[]) : [];
  const isIncast =
    topology?.kind === 'star' &&
    flows.length > 0 &&
    flows.every(({ from, to }, i) => to === 'h1' && from === `h${i + 2}`);
  if (!isIncast) return [];
  const changed = (value: string): string => {
    const count = Math.max(1, Math.min(SENDERS_MAX, Math.round(Number(value) || 1)));
    const next = parseDocument(text);
    next.setIn(['topology', 'hosts'], count + 1);
    const rows = Array.from({ length: count }, (_, i) => ({
      ...(flows[i] ?? flows[0]),
      from: `h${i + 2}`,
    }));
    const list = next.createNode(rows);
    for (const each of list.items) (each as { flow?: boolean }).flow = true;
    next.set('flows', list);
    return next.toString();
  };
  return [{ label: 'senders', value: String(flows.length), changed }];
}

/** More fill the page of a browser, and wait for minutes. */
const SENDERS_MAX = 200;
