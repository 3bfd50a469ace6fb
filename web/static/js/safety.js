// Two pages live at one address: the table's, and in its place the safe one that tells why the table
// does not open. Each gives way to the other by itself, for a screen may have nobody to reload it.

let asking = false;

export async function giveWay(toTheSafePage) {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    const health = await answer.json();
    if (Boolean(health.safe) === toTheSafePage) location.reload();
  } catch {
    // Nobody answers at the moment, so neither page knows more.
  } finally {
    asking = false;
  }
}
