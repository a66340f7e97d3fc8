// Draws at most ten times a second, however many events come.

const interval = 100;

export function drawsSometimes(draw) {
  let last = -Infinity,
    pending = 0;
  return () => {
    if (pending) return;
    const wait = Math.max(0, last + interval - performance.now());
    pending = setTimeout(() => {
      pending = 0;
      last = performance.now();
      draw();
    }, wait);
  };
}
