let turn: (() => void) | undefined;

/**
 * Gives packets a turn in the middle of other work of this thread, if they have waited for one. Servers call it between
 * pieces of work for their clients: the system hands over everything that all of them have sent at once, and packets
 * would wait until all of it is done. Does nothing in a process that forwards no packets.
 */
export function letPacketsPass(): void {
  turn?.();
}

/** Sets what gives packets a turn; undefined ends that. */
export function givePacketsTurnsBy(give: (() => void) | undefined): void {
  turn = give;
}
