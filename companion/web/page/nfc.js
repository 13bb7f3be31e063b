// Web NFC: what is missing for it, and what a tag says. Chrome on Android has it; it needs an encrypted connection.

const IN_APP = /FBAN|FBAV|FB_IAB|Instagram|Line\/|Snapchat|; wv\)/;
const TEXT = 200; // letters: ours are never longer
const WRONG = { NotAllowedError: "nfc denied", NotSupportedError: "no nfc", NotReadableError: "nfc off" };

// What is missing for Web NFC, by the name of its advice; "" if nothing is.
function missing() {
  const agent = navigator.userAgent;
  if (IN_APP.test(agent)) return "in app";
  if (/iPhone|iPad|iPod/.test(agent)) return "iphone";
  if (!isSecureContext) return "no https";
  if (!("NDEFReader" in window)) return /Android/.test(agent) ? "no web nfc" : "no nfc";
  return "";
}

// Its number, and what is written on it.
function tagOf({ serialNumber, message }) {
  const uid = (serialNumber ?? "").replace(/[^0-9a-f]/gi, "").toUpperCase().slice(0, 20);
  const record = [...(message?.records ?? [])].find((each) => each.recordType === "text");
  return { uid, text: record ? [...decoded(record)].slice(0, TEXT).join("") : "" };
}

// A stranger's sticker may hold anything: it works by its number then.
function decoded({ encoding, data }) {
  try { return new TextDecoder(encoding ?? "utf-8").decode(data); } catch { return ""; }
}

// With a dark screen Chrome reads nothing: the phone stays awake until `signal` aborts. A browser ends that when its page
// is hidden, so it is asked for again.
function stayAwake(signal) {
  let lock = null;
  const ask = async () => {
    if (document.hidden) return;
    try {
      lock = await navigator.wakeLock?.request("screen");
      if (signal.aborted) lock?.release();
    } catch { /* the phone saves power: it sleeps when it always does */ }
  };
  document.addEventListener("visibilitychange", ask, { signal });
  signal.addEventListener("abort", () => lock?.release());
  ask();
}

// Reads until `signal` aborts. Throws the name of what is wrong.
export async function scan(signal, touched, unreadable) {
  const lack = missing();
  if (lack) throw lack;
  try {
    const reader = new NDEFReader();
    reader.onreading = (event) => touched(tagOf(event), reader);
    reader.onreadingerror = unreadable;
    await reader.scan({ signal });
    stayAwake(signal);
  } catch (error) {
    throw WRONG[error.name] ?? "nfc failed";
  }
}
