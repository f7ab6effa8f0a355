/** Wakes one sleeper; a ring that nobody waits for yet is not lost. */
export class Alarm {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Forgets what has rung so far. */
  clear(): void {
    this.rung = false;
  }

  /** Returns after so many ms, never unless given, or at once when somebody rings or has rung. */
  async wait(ms?: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    this.rung = false;
  }
}
