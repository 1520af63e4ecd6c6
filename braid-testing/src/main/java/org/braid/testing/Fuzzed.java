package org.braid.testing;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Feeds the target of the method's name for an hour, its seeds first. It is one of the {@link
 * FuzzTargets} of the method's class.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(TargetSeeds.class)
@FuzzTest(maxDuration = "1h")
public @interface Fuzzed {}
