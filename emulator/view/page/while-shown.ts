/** Who scrolls sees what is drawn already. */
const MARGIN = '100px';

/**
 * Updates of something that is drawn only where the reader sees it: elsewhere they wait, and of several
 * with one name the last one counts.
 */
export class WhileShown {
  readonly #watch: IntersectionObserver;
  readonly #waiting = new Map<string, () => void>();
  /** Until it is known. */
  #isShown = true;

  constructor(element: Element) {
    this.#watch = new IntersectionObserver(
      (seen) => {
        this.#isShown = seen.at(-1)?.isIntersecting === true;
        if (this.#isShown) this.#catchUp();
      },
      { rootMargin: MARGIN },
    );
    this.#watch.observe(element);
    window.addEventListener('beforeprint', this.#catchUp);
  }

  run(name: string, update: () => void): void {
    if (this.#isShown) update();
    else this.#waiting.set(name, update);
  }

  end(): void {
    this.#watch.disconnect();
    window.removeEventListener('beforeprint', this.#catchUp);
  }

  readonly #catchUp = (): void => {
    const updates = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const update of updates) update();
  };
}
