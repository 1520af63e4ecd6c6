package org.braid.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The parsers that a class of fuzz tests feeds. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface FuzzTargets {
  /** The enum of the parsers. */
  Class<? extends FuzzTarget> value();
}
