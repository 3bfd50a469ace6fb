"""The hall's broker: Mosquitto of its own, or one that is configured; and what tables may do."""
