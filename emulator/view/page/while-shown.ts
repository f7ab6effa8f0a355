/** Margin around the window within which charts are drawn, so that scrolling finds them drawn. */
const MARGIN = '100px';

/**
 * Updates of something that is drawn only where the reader sees it: elsewhere, and folded away, they wait, and of
 * several with one name the last one counts. What is printed is seen.
 */
export class WhileShown {
  readonly #watch: IntersectionObserver;
  readonly #waiting = new Map<string, () => void>();
  #isShown = false;

  constructor(element: Element) {
    this.#watch = new IntersectionObserver(
      (seen) => {
        this.#isShown = seen.at(-1)?.isIntersecting === true;
        if (this.#isShown) this.catchUp();
      },
      { rootMargin: MARGIN },
    );
    this.#watch.observe(element);
  }

  run(name: string, update: () => void): void {
    if (this.#isShown) update();
    else this.#waiting.set(name, update);
  }

  end(): void {
    this.#watch.disconnect();
  }

  catchUp(): void {
    const updates = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const update of updates) update();
  }
}
