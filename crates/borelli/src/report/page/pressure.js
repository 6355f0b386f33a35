function startPressure() {}
