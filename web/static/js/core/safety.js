// In the table's place there may be the safe page, which tells why the table does not open. A screen
// gives way to it by itself, for there may be no one to reload it.

let asking = false;

export async function giveWay() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    const health = await answer.json();
    if (health.safe) location.reload();
  } catch {
    // There is no answer at the moment, so the page knows no more.
  } finally {
    asking = false;
  }
}
