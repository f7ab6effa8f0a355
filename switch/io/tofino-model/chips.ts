import type { SelectorAddresses } from './chip-registers';
import { tofino1Session, tofino2Session } from './mirror-sessions';
import type { MirrorSession } from './mirror-sessions';

/** A chip that Intel's model stands for: its harness, and where its registers are. */
export interface TofinoChip {
  /** The test harness of the model, which has the chip in itself. */
  readonly harness: string;
  /** File name of a program's binary. */
  readonly binary: string;
  readonly mirrorSession: MirrorSession;
  readonly selectors: SelectorAddresses;
}

/** Chips by the name that the compiler gives to its target. */
export const MODEL_CHIPS = {
  tofino: {
    harness: 'tofino_test_harness',
    binary: 'tofino.bin',
    mirrorSession: tofino1Session,
    selectors: { first: 0x2010830, step: 0x200, stages: 12 },
  },
  tofino2: {
    harness: 'jbay_test_harness',
    binary: 'tofino2.bin',
    mirrorSession: tofino2Session,
    selectors: { first: 0x4073020, step: 0x400, stages: 20 },
  },
} as const satisfies Readonly<Record<string, TofinoChip>>;
